/**
 * Letters about jobs, sent as sendmail takes them or by SMTP.
 *
 * <p>In: letters that are kept until they are sent. Out: mail.
 *
 * <p>Invariant: what cannot be sent for a while holds up nobody but later letters; what can never
 * be sent, or not within a day, is dropped, counted and said in the log. A letter goes out twice
 * only when the process is killed between sending it and noting that.
 */
package io.millrace.server.mail;
