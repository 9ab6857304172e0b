/** The health of a part over HTTP. */
package io.millrace.server.http.health;
