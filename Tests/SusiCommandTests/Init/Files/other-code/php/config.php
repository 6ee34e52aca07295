<?php
# 'clientId' => 'old',
return [
  'clientId' => '8Xa1v0exampleClient5d7',
  'issuer' => 'https://id.acme.example',
];
