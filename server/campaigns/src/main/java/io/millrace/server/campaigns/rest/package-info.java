/**
 * CiGri's REST at the door for HTTP, below {@code /cigri}.
 *
 * <p>Comes in: requests of callers whom the door has verified. Goes out: commands and questions to
 * the campaign server, and CiGri's JSON.
 */
package io.millrace.server.campaigns.rest;
