# needs: python3 -c 'import django_auth_adfs, requests'
python3 "$HERE/django_adfs.py"
