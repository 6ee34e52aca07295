let client_id = "web".to_string(); let issuer = format!("https://{}/", host);
