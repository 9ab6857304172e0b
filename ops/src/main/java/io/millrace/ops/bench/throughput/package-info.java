/** Whole life cycles of many jobs a second, by the brokers of one host and of a site. */
package io.millrace.ops.bench.throughput;
