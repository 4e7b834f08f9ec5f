import {joinSafe, type Safe, safe} from '../../text/cells/safe.ts';

/** Every string of the composer, the quick reply and the suggestions. */
export const strings = {
	title: safe`Message`,
	hint: safe`Write to the agent`,
	requestHint: (close: Safe, answer: Safe) =>
		safe`A message, not an answer: ${close}, then ${answer} answers the request`,
	shellHint: safe`A command for the shell, such as ls -la`,
	keys: (reply: Safe, compose: Safe) => safe`${reply} or ${compose} writes`,
	keysHere: (reply: Safe, open: Safe) => safe`${reply} writes, ${open} opens it`,
	keysInLists: (open: Safe, writes: Safe) => safe`${open} opens it, then ${writes}`,
	keysBesideLists: (next: Safe, presses: number, reply: Safe) =>
		safe`${joinSafe(Array<Safe>(presses).fill(next), safe` `)} goes to the session, ${reply} writes`,
	attached: (count: number) => safe`${count} attached`,
	attachedBytes: (count: number, bytes: Safe, limit: Safe) => safe`${count} attached, ${bytes} of ${limit}`,
	queued: (count: number) => safe`◌ ${count} queued`,
	queuedTakeBack: (count: number, takeBack: Safe) => safe`◌ ${count} queued, ${takeBack} takes back`,
	unreachable: (name: Safe) => safe`${name} is unreachable`,
	waitsFor: (name: Safe) => safe`${name} is unreachable: messages wait until it is back`,
	moreRows: safe`more rows`,
	replyTo: (name: Safe) => safe`Reply to ${name}`,
	suggestions: {
		files: safe`Files`,
		filesHere: safe`Files on this machine`,
		prompts: safe`Prompts and commands`,
		folders: safe`Folders`,
		image: safe`Attach this image?`,
	},
	position: (index: number, count: number) => safe`${index} of ${count}`,
	alreadyAttached: (name: string) => `${name} is already attached`,
	removed: (name: string) => `${name} is no longer attached`,
	sending: 'Sending the reply',
	sendingTo: (count: number) => `Sending the message to ${count === 1 ? '1 session' : `${count} sessions`}`,
	replyQueued: 'The reply is queued',
	outside: 'This session runs in another terminal: answer it there',
	changedElsewhere: 'Another program changed this draft; nothing was sent: check it and send again',
	displaced: 'Another program also wrote a draft here: it is among the earlier messages now',
	nothingCollapsed: 'Nothing is collapsed here',
	tooLong: (editor: string) =>
		`No collapsed paste at the cursor, or it is too long to show here: ${editor} opens everything in your editor`,
};
