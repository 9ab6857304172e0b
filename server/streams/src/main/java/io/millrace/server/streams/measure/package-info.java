/** What shards tell of themselves to whoever watches them; nothing is decided by it. */
package io.millrace.server.streams.measure;
