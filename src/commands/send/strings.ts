import {ownProgram} from '../../domain/own-program.ts';

/** What `send` and the `outbox` commands print besides tables and JSON. */
export const strings = {
	send: {
		emptyText: 'the text is empty: nothing was sent',
		notText: 'stdin is not UTF-8 text: nothing was sent; --file or --image attaches a file',
		unknownSession: (reason: string) => `${reason} No such session is known here either: nothing was saved.`,
		notImage: (path: string) => `${path} is not an image (png, jpeg, gif, webp): send it with --file`,
		alreadySent: 'an earlier command already sent this message: nothing was sent again',
		found:
			'an earlier command sent this message and lost the response; it has arrived: nothing was sent again',
		notFound: 'an earlier command sent this message and lost the response: nothing was sent again',
		alreadyQueued: 'an earlier command already queued this message: it was not duplicated',
	},
	outbox: {
		none: 'no unsent messages',
		behind: 'queued behind the unconfirmed message',
		unknown: (id: string) => `there is no message ${id} in the outbox: see ${ownProgram} outbox list --all`,
		sending: (id: string) => `the message ${id} is being sent: wait with ${ownProgram} outbox wait ${id}`,
		cannotResend: (id: string) => `the message ${id} was delivered: use ${ownProgram} send to send it again`,
		state: (id: string, state: string) => `the message ${id} is ${state}`,
		discarded: (id: string) => `the message ${id} was discarded`,
		cannotDiscard: (id: string) => `the message ${id} was delivered and can't be taken back`,
	},
	waits: {
		forOther: 'another Quarterdeck is sending to this session',
		forService: (retry: string) => `the service is rate-limiting requests: ${retry}`,
		notAccepted: (isEarlier: boolean, retry: string, problem: string) =>
			`${isEarlier ? 'an earlier message of this session was not accepted, ' : ''}${retry}: ${problem}`,
		lostResponse: (isEarlier: boolean) =>
			`${isEarlier ? 'the response to an earlier message of this session' : 'the response'} was lost: looking for the message`,
		nextTry: (seconds: number) => `next try in ${seconds} s`,
		unknownReason: 'waiting for the service',
		elapsed: (seconds: number, reason: string) => `${seconds} s: ${reason}`,
		still: (reason: string) => `still waiting: ${reason}`,
	},
	answer: {
		incomplete: 'no complete answer yet',
		sent: (messageId: string, sessionId: string) =>
			`the message ${messageId} was sent: see ${ownProgram} messages ${sessionId}`,
		timedOut: (seconds: number, sent: string) => `no complete answer within ${seconds} s; ${sent}`,
	},
	undelivered: {
		timedOut: (seconds: number) => `No result within ${seconds} s.`,
		removed: 'The message was removed from the outbox.',
		notAccepted: 'It was not accepted.',
		notSaved: (reason: string, storageProblem: string) =>
			`${reason} The message is not saved: ${storageProblem}`,
		unconfirmed: (reason: string, sessionId: string, id: string) =>
			`${reason} The message may have been accepted. It is saved but not resent automatically: check ${ownProgram} messages ${sessionId}, then run ${ownProgram} outbox resend or discard ${id}.`,
		unconfirmedNotSaved: (reason: string, sessionId: string) =>
			`${reason} The message may have been accepted, and it is not saved: repeating the command may send it twice. Check ${ownProgram} messages ${sessionId} first.`,
	},
};
