const passportConfig = {
    credentials: {
        tenantName: 'acme.onmicrosoft.com',
        clientID: '11111111-1111-4111-8111-111111111111',
    },
    policies: {
        policyName: 'B2C_1_susi_v2',
    },
    metadata: {
        b2cDomain: 'acme.b2clogin.com',
        authority: 'login.microsoftonline.com',
        discovery: '.well-known/openid-configuration',
        version: 'v2.0',
    },
    settings: {
        isB2C: true,
        validateIssuer: false,
        loggingLevel: 'info',
    },
    protectedRoutes: {
        todolist: {
            endpoint: '/api/todolist',
            delegatedPermissions: {
                read: ['ToDoList.Read', 'ToDoList.ReadWrite'],
                write: ['ToDoList.ReadWrite'],
            },
        },
    },
};

module.exports = passportConfig;
