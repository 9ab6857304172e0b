/**
 * Makes a given Kafka cluster ready for homes that join it. In comes an administrator's account;
 * out come topics, rules, schemas and accounts in the cluster, and one file for the homes.
 */
package io.millrace.ops.join;
