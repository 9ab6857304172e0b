/**
 * What commands and routes ask of the campaign server.
 *
 * <p>Comes in: who asks, and a description of a campaign. Goes out: commands and questions to the
 * door of the home, and what it answers.
 */
package io.millrace.server.campaigns.ask;
