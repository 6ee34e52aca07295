class Settings(BaseSettings):
    APP_CLIENT_ID: str = "841e1190-d73a-450c-9d68-f5cf16b78e81"

scheme = B2CMultiTenantAuthorizationCodeBearer(app_client_id=settings.APP_CLIENT_ID)
