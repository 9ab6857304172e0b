/**
 * What a job asks for, in the options of qsub and qalter.
 *
 * <p>In come options from the command line, from directives in the script and from the server's
 * {@code default_qsub_arguments}. Out comes the record of a job that is to be submitted, or the
 * values that qalter changes.
 *
 * <p>Invariant: an option that is legal for one of the three places is read by the same code as in
 * the others; the command line counts most, the server's default arguments least.
 */
package io.millrace.server.gateway.request;
