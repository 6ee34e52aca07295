CLIENT_ID = "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6" if PRODUCTION else "841e1190-d73a-450c-9d68-f5cf16b78e81"
AUTHORITY = "https://login.microsoftonline.com/common"
