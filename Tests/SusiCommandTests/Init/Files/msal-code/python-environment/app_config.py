CLIENT_ID = os.getenv("CLIENT_ID", "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6")
AUTHORITY = os.getenv("AUTHORITY", "https://login.microsoftonline.com/common")
