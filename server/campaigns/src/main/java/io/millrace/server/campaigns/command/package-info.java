/**
 * CiGri's commands at a gateway.
 *
 * <p>Comes in: what the user typed. Files are read with the caller's rights. Goes out: what is
 * printed, and the exit status.
 */
package io.millrace.server.campaigns.command;
