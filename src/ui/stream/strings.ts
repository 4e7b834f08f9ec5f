import type {DeliveryState} from '../../domain/messages/delivery.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {keyed} from '../kit/strings.ts';
import type {PlaceInTurn} from './stream-items.ts';

export const strings = {
	title: {
		branch: (name: Safe) => safe`branch ${name}`,
		archived: safe`archived`,
		tokens: (input: Safe, output: Safe) => safe`${input} in ${output} out`,
		contextLeft: (left: number) => safe`${left} % context left`,
		credits: (count: Safe) => safe`${count} credits`,
		hidden: (count: number) => safe`${count} hidden`,
		above: safe`↑`,
		loadingHistory: (read: number) => safe`loading history ${read}`,
		cached: safe`cached`,
		unreadableMessages: safe`some messages can't be read`,
		unknownRoles: safe`the service doesn't say who wrote what`,
		unreadableLines: (count: number) =>
			count === 1 ? safe`1 line can't be read` : safe`${count} lines can't be read`,
	},
	phase: {
		loading: safe`Loading messages…`,
		loadingHistory: (read: number) => safe`Loading the whole history, this once: ${read} messages so far…`,
		loadingShare: (read: number, total: number) =>
			safe`Loading the whole history, this once: ${read} of ${total} messages so far…`,
		onlyHidden: (show: Safe) => safe`All messages are hidden; ${show} shows them.`,
		none: (reply: Safe, compose: Safe) => safe`No messages yet. ${reply} or ${compose} writes the first one.`,
		/** While the composer has the keyboard. */
		noneWriting: (send: Safe) => safe`No messages yet. Type a message; ${send} sends it.`,
		unreadable: safe`The service sent messages that can't be read.`,
		retry: (key: Safe, wayOut: Safe | undefined) =>
			wayOut === undefined ? safe`${key} tries again.` : safe`After ${wayOut}: ${key} tries again.`,
		outside: (go: Safe) => safe`This session runs in another terminal. Answer it there: ${go} goes to it.`,
		elsewhere: (computer: Safe) => safe`This session runs in a terminal on ${computer}. Answer it there.`,
		ended: (key: Safe) => safe`This session ran in another terminal and has ended: ${key} continues it here.`,
		permission: (tool: Safe) => safe`The agent asks for permission: ${tool}`,
		answer: (key: Safe) =>
			safe`${key} shows the whole request. You can answer it here or in its own terminal.`,
		folder: (path: Safe) => safe`folder: ${path}`,
		unknownFolder: safe`folder: unknown`,
		lastSignal: (event: Safe, at: Safe) => safe`last signal: ${event}, ${at}`,
		unknownTranscript: (path: Safe) =>
			safe`Its transcript can't be shown: only those of Claude Code and codex are read. It is ${path}`,
		emptyTranscript: safe`The transcript has no messages yet.`,
		unknownToService: (refresh: Safe) =>
			safe`The service doesn't know this session; ${refresh} asks it again.`,
	},
	preview: {
		title: safe`Preview`,
		open: (key: Safe) => keyed`${key} opens`,
		notRead: safe`No messages have been read yet.`,
	},
	items: {
		newMessages: (count: number, isPartial: boolean) =>
			isPartial ? safe`${count}+ new` : safe`${count} new`,
		older: safe`↑ older messages`,
		loadingOlder: safe`↑ loading older messages…`,
		repliesToEarlier: safe`↳ replies to an earlier message`,
		expands: (keys: Safe) => keyed`  ${keys} expands`,
		opensPager: (keys: Safe) => keyed`  ${keys} opens the pager`,
		/** Before keys that work once the stream has the keyboard. */
		first: (key: Safe) => keyed`After ${key}: `,
		sendNow: (key: Safe) => keyed`${key} send now   `,
		takeBackQueued: (key: Safe) => keyed`${key} take back before it is sent`,
		rejected: safe`The service rejected it.`,
		unanswered: safe`No response: it may have arrived.`,
		decide: (resend: Safe, discard: Safe, copy: Safe) =>
			keyed`${resend} send again   ${discard} take back   ${copy} copy`,
	},
	find: {
		soFar: (count: number) => safe`${count} so far…`,
		searching: safe`searching…`,
		message: (nth: number, count: number) => safe`message ${nth} of ${count}`,
		position: (nth: number, count: number) => safe`${nth} of ${count}`,
		found: (count: number) => safe`${count} found`,
		hint: safe`matches word beginnings`,
		unreadable: safe`saved data can't be read`,
		notInRead: safe`not in the messages read so far`,
		notFoundSoFar: safe`not found so far`,
		notFound: safe`not found`,
		notFoundHint: safe`not found · words match from their beginning`,
		notFoundYet: safe`not found yet`,
		inMessage: (nth: number, count: number) => safe` · match ${nth} of ${count} in it`,
		match: (nth: number, count: number) => safe` · match ${nth} of ${count}`,
		notShown: (pager: Safe | undefined) =>
			pager === undefined
				? safe` · not in the rows shown`
				: safe` · not in the rows shown: ${pager} opens all of it`,
		notShownShort: (pager: Safe | undefined) =>
			pager === undefined ? safe` · not shown` : safe` · not shown: ${pager} opens it`,
	},
	end: {
		unseen: (count: number, key: Safe | undefined) =>
			key === undefined ? safe`↓ ${count} new` : safe`↓ ${count} new · ${key}`,
		below: (key: Safe | undefined) => (key === undefined ? safe`↓` : safe`↓ ${key}`),
		working: safe`working`,
		/** Nobody says whether the answer that stands is the whole one. */
		whenLastRead: (tool: Safe) => safe`◌ when last read: ${tool}`,
		answers: (key: Safe) => safe`${key} answers `,
		readFrom: safe`read from `,
	},
	delivery: {
		queued: (why: Safe) => safe`◌ queued · ${why}`,
		keyRefused: safe`key refused`,
		retryIn: (time: Safe) => safe`retry in ${time}`,
		untilReached: safe`◌ queued until the service is back`,
		untilComputer: safe`◌ queued until the computer is back`,
		onHold: safe`on hold`,
	},
	copied: {
		message: 'the message',
		block: (label: string) => `the ${label} block`,
		noLink: 'This message has no links',
		noBlock: (copy: Safe) => `This message has no code or output; ${copy} copies all of it`,
	},
};

export const deliveryNotes: Readonly<Record<DeliveryState | PlaceInTurn, Safe>> = {
	queued: safe`◌ queued`,
	sending: safe`◌ sending`,
	accepted: safe`✓ accepted`,
	seen: safe`✓ seen`,
	unconfirmed: safe`! unconfirmed`,
	failed: safe`✗ failed`,
	waits: safe`◌ waiting for its turn`,
	next: safe`◌ queued until the agent's turn ends`,
	behind: safe`◌ queued behind the unconfirmed message`,
};
