/**
 * The thin client at a terminal whose lines are edited: history, completion, and all keys that a
 * user of a shell expects. Apart from the client, which needs nothing but a JDK.
 */
package io.millrace.server.terminal;
