=begin
CLIENT_ID = "old"
=end
client_id: "8Xa1v0exampleClient5d7",
issuer: "https://id.acme.example"
