// go-oidc: discovery and the id token, for both issuers. Argument: "tenant" or "policy".
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	oidc "github.com/coreos/go-oidc"
)

type tokens struct {
	IDToken     string `json:"id_token"`
	AccessToken string `json:"access_token"`
}

func main() {
	env := os.Getenv
	var all tokens
	text, err := os.ReadFile(env("WORK") + "/tokens.json")
	if err != nil {
		log.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	base := env("ORIGIN") + "/" + env("TENANT") + "/" + env("POLICY")
	var verifier *oidc.IDTokenVerifier
	if os.Args[1] == "policy" {
		// The issuer with the policy in it: discovery works as the standard demands.
		issuer := env("ORIGIN") + "/tfp/" + env("TENANT_ID") + "/" + env("POLICY") + "/v2.0/"
		provider, err := oidc.NewProvider(ctx, issuer)
		if err != nil {
			log.Fatal(err)
		}
		verifier = provider.Verifier(&oidc.Config{ClientID: env("CLIENT_ID")})
	} else {
		// The usual issuer: go-oidc refuses it in discovery, so the keys and the issuer are settings.
		_, err := oidc.NewProvider(ctx, base+"/v2.0")
		if err == nil {
			log.Fatal("discovery accepted an issuer that is not its address")
		}
		fmt.Println("as in the cloud:", err)
		issuer := env("ORIGIN") + "/" + env("TENANT_ID") + "/v2.0/"
		keys := oidc.NewRemoteKeySet(ctx, base+"/discovery/v2.0/keys")
		verifier = oidc.NewVerifier(issuer, keys, &oidc.Config{ClientID: env("CLIENT_ID")})
	}
	token, err := verifier.Verify(ctx, all.IDToken)
	if err != nil {
		log.Fatal(err)
	}
	if err := token.VerifyAccessToken(all.AccessToken); err != nil {
		log.Fatal(err)
	}
	var claims struct{ Name, Nonce string }
	if err := token.Claims(&claims); err != nil || claims.Name != "Ana Lima" || claims.Nonce != "n-1" {
		log.Fatal(claims, err)
	}
	if _, err := verifier.Verify(ctx, all.IDToken[:len(all.IDToken)-10]+"AAAAAAAAAA"); err == nil {
		log.Fatal("accepted a changed signature")
	}
	fmt.Println("go-oidc accepted", claims.Name, token.Issuer)
}
