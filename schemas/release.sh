#!/bin/sh
# release.sh VERSION: writes schemas/released/VERSION.json, all records of this checkout, before that version is tagged.
set -eu
cd "$(dirname "$0")/.."
./mvnw -q -pl schemas compile org.codehaus.mojo:exec-maven-plugin:java \
  -Dexec.mainClass=io.millrace.schemas.release.ReleaseSchemas \
  -Dexec.args="$PWD/schemas/released ${1:-}"
