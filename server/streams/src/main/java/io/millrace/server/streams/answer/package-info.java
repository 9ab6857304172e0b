/** Answers that gateways of this host hear at once, beside the topic of answers. */
package io.millrace.server.streams.answer;
