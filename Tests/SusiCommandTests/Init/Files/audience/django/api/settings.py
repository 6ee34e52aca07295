SIMPLE_JWT = {
    "AUDIENCE": "841e1190-d73a-450c-9d68-f5cf16b78e81",
    "ISSUER": None,
}
