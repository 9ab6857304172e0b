/** What a server does with regard to the other servers of its cluster. */
package io.millrace.server.streams.group;
