const authority = "https://fabrikam.ciamlogin.com";
