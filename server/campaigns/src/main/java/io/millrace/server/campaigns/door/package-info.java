/**
 * The door of the campaign server, and its process.
 *
 * <p>Comes in: commands and questions of the gateways of this home, over a Unix socket that only
 * the home's own account may open, with the token of queries; gateways have verified who asks. Goes
 * out: the answer to a command, or records as they are now.
 */
package io.millrace.server.campaigns.door;
