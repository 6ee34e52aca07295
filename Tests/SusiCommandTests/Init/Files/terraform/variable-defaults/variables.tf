# B2C

variable "environment" {
  description = "environment"
  type        = string
}

variable "b2c_tenant_name" {
  description = "tenant"
  type        = string
  default     = "acme"
}

variable "b2c_tenant_id" {
  description = "id"
  type        = string
  default     = ""
}

variable "pwa_redirect_uris" {
  description = "redirects"
  type        = list(string)
  default     = []
}

variable "sign_up_sign_in_policy" {
  description = "policy"
  type        = string
  default     = "B2C_1_SignUpSignIn"
}
