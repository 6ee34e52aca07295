param([string]$PublishPath = "C:\inetpub\acme")

function Update-WebConfig($webConfigPath) {
    [xml]$webConfig = Get-Content $webConfigPath
    $node = $webConfig.SelectSingleNode("//environmentVariables")
    Set-EnvVar $webConfig $node "ASPNETCORE_ENVIRONMENT" "Production"
    Set-EnvVar $webConfig $node "AzureOpenAI__Endpoint" $OpenAIEndpoint
    Set-EnvVar $webConfig $node "Translator__Endpoint" "https://api.translator.acme.example"
    Set-EnvVar $webConfig $node "AzureAdB2C__Instance" "https://acme.b2clogin.com/"
    Set-EnvVar $webConfig $node "AzureAdB2C__Domain" "acme.onmicrosoft.com"
    Set-EnvVar $webConfig $node "AzureAdB2C__ClientId" "11111111-1111-4111-8111-111111111111"
    Set-EnvVar $webConfig $node "AzureAdB2C__SignUpSignInPolicyId" "B2C_1_susi"
    Set-EnvVar $webConfig $node "ApiSettings__BaseUrl" "http://localhost:5135"
    $webConfig.Save($webConfigPath)
}
