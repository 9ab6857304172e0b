/**
 * Whether a Kafka cluster is set up as Millrace needs it: {@link io.millrace.ops.kafka.KafkaReader}
 * reads what the brokers and topics say, {@link io.millrace.ops.kafka.KafkaCheck} judges it without
 * asking anybody. Nothing is changed. What brokers refuse is told with what helps.
 */
package io.millrace.ops.kafka;
