#!/bin/sh
# Makes the role and the database of memsvc at the first start of the image of PostgreSQL. The role is no superuser, since memsvc refuses one.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres --set password="$MEMSVC_DATABASE_PASSWORD" <<'END'
create role memsvc login password :'password';
create database memsvc owner memsvc encoding 'UTF8' template template0;
END
