<?php return ['oidc' => ['client_id' => env('OIDC_CLIENT_ID', 'web'), 'issuer' => env('OIDC_ISSUER', 'https://id.acme.example')]];
