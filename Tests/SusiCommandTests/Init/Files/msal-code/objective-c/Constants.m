#import "Constants.h"
// The client ID: @"not this"
NSString * const kClientID = @"90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6";
NSString * const kAuthority = @"https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_susi";
