/**
 * What can be asked over HTTP: one table of routes that serves requests and from which the OpenAPI
 * document is made.
 *
 * <p>In comes a request whose caller is verified. Out goes one answer, in JSON unless its route
 * says otherwise; a refusal has PBS's code where PBS has one.
 *
 * <p>Invariants: what a command does is in the gateway's command set and nowhere else; a list comes
 * in pages of bounded size; what a request does not understand it refuses by name.
 */
package io.millrace.server.web.route;
