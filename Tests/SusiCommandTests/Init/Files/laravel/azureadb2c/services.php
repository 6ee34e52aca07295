<?php

return [
    'mailgun' => [
        'domain' => env('MAILGUN_DOMAIN'),
        'secret' => env('MAILGUN_SECRET'),
    ],

    'azureadb2c' => [
        'client_id' => env('AADB2C_ClientId'),
        'client_secret' => env('AADB2C_ClientSecret'),
        'redirect' => env('AADB2C_RedirectUri'),
        'domain' => env('AADB2C_Domain'),
        'policy' => env('AADB2C_Policy'),
        'tenantid' => env('AADB2C_TenantId')
    ],
];
