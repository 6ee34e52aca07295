val policies = listOf("B2C_1_susi", "B2C_1_reset")
const val CLIENT_ID = "11111111-1111-4111-8111-111111111111"
