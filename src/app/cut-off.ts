import {notify} from '../actions/notify.ts';
import {settleCutOff} from '../actions/sessions.ts';
import {askToConfirm, takesText} from '../state/view/view.ts';
import type {AppParts} from '../ui/use-app.ts';
import {strings} from './strings.ts';

const {cutOff: text} = strings;

/** How long the notice stays, ms. */
const noticeTime = 60_000;

/** Offers to continue sessions that the end of the service cut off; by a notice alone if the user is writing. */
export function offerToContinue({view, actions}: AppParts, count: number, hasMovedOn: boolean): void {
	const now = view.getState();
	if (now.dialogs.some(dialog => dialog.kind === 'confirm' && dialog.text === text.question)) return;
	if (hasMovedOn && takesText(now))
		notify(actions, 'info', text.notice(count), {until: actions.clock.now() + noticeTime});
	else {
		const leave = () => void settleCutOff(actions, false);
		askToConfirm(view, {
			title: text.title(count),
			text: text.question,
			yes: () => void settleCutOff(actions, true),
			no: leave,
			cancel: leave,
			isUnexpected: true,
			takesEnter: true,
		});
	}
}
