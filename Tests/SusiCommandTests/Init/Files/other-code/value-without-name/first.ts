= 'https://id.acme.example'
