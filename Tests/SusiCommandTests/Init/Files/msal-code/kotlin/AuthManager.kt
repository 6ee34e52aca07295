companion object {
    private const val CLIENT_ID: String = "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6"
    const val AUTHORITY = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi"
}
