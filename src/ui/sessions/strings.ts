import {type Safe, safe} from '../../text/cells/safe.ts';
import {keyed} from '../kit/strings.ts';

const sessions = (count: number) => (count === 1 ? safe`1 session` : safe`${count} sessions`);
const leaving = ({archive, back}: Keys, restores: boolean) =>
	restores ? keyed`${archive} list again  ${back} unmark` : keyed`${archive} archive  ${back} unmark`;

export const strings = {
	delivery: safe`DELIVERY`,
	title: safe`Sessions`,
	/** The header's count has failed computers, too, and sessions that the filter leaves out. */
	needYou: (count: number) =>
		count === 1 ? safe`! 1 of these needs you` : safe`! ${count} of these need you`,
	working: (count: number) => safe`● ${count} working`,
	workingWhenRead: (count: number) => safe`◌ ${count} working?`,
	marked: (count: number, hidden: number) =>
		hidden === 0 ? safe`${count} marked` : safe`${count} marked, ${hidden} hidden`,
	actions: (keys: Keys, restores: boolean) => [
		...keyed`${keys.message} message  ${keys.tag} tag  ${keys.acknowledge} acknowledge  `,
		...leaving(keys, restores),
	],
	shortActions: (keys: Keys, restores: boolean) => [
		...keyed`${keys.message} message  `,
		...leaving(keys, restores),
	],
	/** What became of the messages sent from here; `unsettled` ones wait for the user. */
	delivered: (done: number, count: number) => safe`message accepted by ${done} of ${count}`,
	unsettled: (resend: Safe, back: Safe) => keyed`  ${resend} sends again  ${back} dismisses`,
	settled: (back: Safe) => keyed`  ${back} dismisses`,
	none: safe`No sessions yet.`,
	create: (create: Safe, add: Safe) => keyed`${create} opens one, ${add} adds an existing one by its id.`,
	onlyPast: (show: Safe) => keyed`All sessions are archived or have ended. ${show} shows them.`,
	messageTo: (count: number, hidden: number) =>
		hidden === 0
			? safe`Message to ${sessions(count)}`
			: safe`Message to ${sessions(count)}, ${hidden} hidden`,
	messageToOne: (name: Safe) => safe`Message to ${name}`,
	leftOut: (names: Safe) => safe`, not to ${names} (in another terminal)`,
	andMore: (names: Safe, count: number) => safe`${names} and ${count} more`,
};

type Keys = Readonly<Record<'message' | 'tag' | 'acknowledge' | 'archive' | 'back', Safe>>;
