/** Benches of a cluster of several brokers and hosts. */
package io.millrace.ops.bench.cluster;
