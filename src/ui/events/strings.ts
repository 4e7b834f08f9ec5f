import type {RunningService} from '../../domain/running-service.ts';
import type {hookKind} from '../../domain/sessions/signal.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {program} from '../../text/values/own-program.ts';

export const strings = {
	log: {
		title: safe`Hook events`,
		session: (id: Safe) => safe`session ${id}`,
		shown: (shown: number, loaded: number) => safe`${shown} of ${loaded}`,
		loadingOlder: safe`loading older events · `,
		live: safe`live · `,
		newer: (count: number) => safe`${count} newer ↓`,
		none: safe`No hook events yet.`,
		install: (key: Safe): Line => [
			span(key, 'strong'),
			span(safe` installs the hooks for your agents;`, 'dim'),
		],
		test: [span(safe`${program} hooks test`, 'code'), span(safe` checks that events arrive.`, 'dim')] as Line,
	},
	row: {
		unnamedEvent: '(no name)',
		unnamedClient: 'unnamed',
		inBackground: (count: number) => `${count} in background`,
		damaged: (how: string) => `damaged: ${how}`,
		test: safe`test `,
		spooled: (latency: Safe) => safe`spool ${latency}`,
	},
	event: {
		title: safe`Event`,
		labels: {
			effect: 'effect',
			event: 'event',
			client: 'client',
			computer: 'computer',
			at: 'happened',
			delivery: 'delivered',
			process: 'process',
			id: 'id',
		},
		testEffect: safe`a test event: ignored`,
		bySocket: (latency: Safe) => safe`by socket, after ${latency}`,
		bySpool: (latency: Safe) => safe`by spool, after ${latency}`,
		process: (hook: number, agent: number) => safe`hook ${hook}, agent ${agent}`,
	},
	diagnostics: {
		title: safe`Diagnostics`,
		noSuccess: safe`none yet`,
		success: (age: Safe, took: Safe) => safe`${age} ago, took ${took}`,
		retryIn: (time: Safe) => safe`in ${time}`,
		process: ({pid, version, endsWhenIdle}: RunningService, age: Safe) =>
			safe`${pid}, started ${age} ago, version ${cleanLine(version)}${endsWhenIdle ? safe`; update when idle` : safe``}`,
		clockAhead: (skew: Safe) => safe`the service's is ${skew} ahead`,
		clockBehind: (skew: Safe) => safe`the service's is ${skew} behind`,
		skipped: (total: number, count: number, what: Safe, age: Safe) =>
			safe`${total} items could not be read completely; last ${count} in ${what}, ${age} ago`,
		noneSkipped: safe`none`,
		watching: (sessions: Safe, within: Safe, perSecond: number) =>
			safe`${sessions}, ${within}; at most ${perSecond} requests a second`,
		noneWatched: safe`no sessions`,
		readWithin: (age: Safe) => safe`each read within the last ${age}`,
		notAllRead: safe`not all read yet`,
		events: (age: Safe, delivery: 'socket' | 'spool') => safe`last ${age} ago, by ${cleanLine(delivery)}`,
		noEvents: (key: Safe) => safe`none yet: ${key} installs hooks`,
		saved: safe`saved to disk`,
		stored: (bytes: Safe, messages: Safe, sessions: Safe) =>
			safe`${bytes}; ${messages} of ${sessions}. ${program} storage shows more`,
		messages: (count: number) => (count === 1 ? safe`1 message` : safe`${count} messages`),
		sessions: (count: number) => (count === 1 ? safe`1 session` : safe`${count} sessions`),
		incident: (what: Safe, age: Safe) => safe`! ${what} (${age} ago)`,
		acknowledge: (key: Safe) => safe`${key} acknowledges this`,
		emptyOutbox: safe`empty`,
		problem: (what: Safe) => safe`✗ ${what}`,
		problemAge: (age: Safe) => safe` (${age} ago)`,
	},
	unknownSession: 'No known session has this id: the event changed nothing',
	noSession: 'This event names no session',
	copiedEvent: 'the event',
};

/** The session state that each kind of event leads to. */
export const effects: Readonly<Record<ReturnType<typeof hookKind>, Safe>> = {
	started: safe`idle`,
	prompted: safe`working`,
	permission: safe`asks: permission`,
	answered: safe`working`,
	idle: safe`none, unless its turn seemed to go on`,
	question: safe`asks`,
	stopped: safe`done`,
	failed: safe`failed`,
	cleared: safe`replaced`,
	ended: safe`ended`,
	interrupted: safe`idle, interrupted`,
	other: safe`none: only logged`,
};

export const labels = {
	notices: 'notices',
	configuration: 'configuration',
	service: 'service',
	success: 'last success',
	process: 'process',
	retry: 'next try',
	problem: 'problem',
	clock: 'clock',
	skipped: 'skipped',
	watching: 'watching',
	hooks: 'hooks',
	events: 'events',
	storage: 'storage',
	stored: 'stored',
	incident: 'happened',
	outbox: 'outbox',
};
