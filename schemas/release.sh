#!/bin/sh
# Releases the schemas of this checkout into schemas/released: a new version file for each record
# that changed. --renew starts all records again at version 1: only before the first cluster exists.
set -eu
cd "$(dirname "$0")/.."
./mvnw -q -pl schemas compile org.codehaus.mojo:exec-maven-plugin:java \
  -Dexec.mainClass=io.millrace.schemas.release.ReleaseSchemas \
  -Dexec.args="${1:-} $PWD/schemas/released"
