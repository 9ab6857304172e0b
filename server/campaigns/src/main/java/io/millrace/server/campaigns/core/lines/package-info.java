/** Lines of parameters, which lie in blocks. */
package io.millrace.server.campaigns.core.lines;
