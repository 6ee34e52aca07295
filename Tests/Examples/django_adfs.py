"""django-auth-adfs, which has the host of the cloud in its code: signs Ana in at an Entra tenant, with her role as a group."""
import os, warnings
import visitor
warnings.simplefilter("ignore")
e = os.environ
import django
from django.conf import settings
client = e["SUSI_EMULATOR_CLIENT_ID"]
settings.configure(
    SECRET_KEY="test", ALLOWED_HOSTS=["localhost"], ROOT_URLCONF=__name__, LOGIN_REDIRECT_URL="/done",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django_auth_adfs"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware"],
    AUTHENTICATION_BACKENDS=["django_auth_adfs.backend.AdfsAuthCodeBackend"],
    # The settings under test: no address at all.
    AUTH_ADFS={
        "TENANT_ID": e["TENANT_ID"], "CLIENT_ID": client, "CLIENT_SECRET": e["SECRET"], "RELYING_PARTY_ID": client,
        "AUDIENCE": e["API_ID"], "VERSION": "v2.0", "SCOPES": ["openid", "api://hello/demo.read"], "USERNAME_CLAIM": "oid",
        "GROUPS_CLAIM": "roles", "MIRROR_GROUPS": True, "CLAIM_MAPPING": {"first_name": "name"}})
django.setup()
from django.urls import include, path
urlpatterns = [path("oauth2/", include("django_auth_adfs.urls"))]
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django.contrib.auth import get_user_model
from django.test import Client
browser = Client(headers={"host": "localhost:5000"})
start = browser.get("/oauth2/login").headers["Location"]
assert start.startswith("https://login.microsoftonline.com/"), start
back = visitor.visit(start, until="http://localhost:5000/oauth2/callback")
done = browser.get("/oauth2/callback", back)
assert done.status_code == 302, (done.status_code, done.content[:500])
[user] = get_user_model().objects.all()
assert user.first_name == "Ana Lima", user.first_name
print("django-auth-adfs signed in", user.username, [group.name for group in user.groups.all()])
