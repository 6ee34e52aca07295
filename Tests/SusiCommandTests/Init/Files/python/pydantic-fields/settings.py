from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_file=".env", extra="ignore")

    azure_b2c_tenant_name: str = Field(default="")
    azure_b2c_tenant_id: str = Field(default="")
    azure_b2c_client_id: str = Field(default="")
    azure_b2c_client_secret: str = Field(default="")
    azure_b2c_user_flow: str = Field(default="B2C_1_signin")
    azure_b2c_redirect_uri: str = Field(default="http://localhost:8000/auth/b2c/callback")

    azure_entra_tenant_id: str = Field(default="")
    azure_entra_client_id: str = Field(default="")
