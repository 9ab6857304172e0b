package io.millrace.schemas.registry;

import org.apache.avro.Schema;

/** One version of a subject; versions count from 1. */
public record RegisteredSchema(String subject, int version, int id, Schema schema) {}
