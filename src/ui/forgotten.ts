import {notify} from '../actions/notify.ts';
import {withoutShown} from '../state/shown-item.ts';
import {streamsOf} from '../state/split.ts';
import {replyingTo} from '../state/view.ts';
import {setView} from './set-view.ts';
import {strings} from './strings.ts';
import type {Parts} from './use-app.ts';

/** Closes a session or computer that another program has forgotten, unless the user is writing to it. */
export function forgottenElsewhere({view, actions}: Parts<'view' | 'actions'>, id: string): void {
	const now = view.getState();
	if (now.focus === 'composer' && (replyingTo(now) ?? now.shown?.id) === id) {
		notify(actions, 'info', strings.forget.whileWriting);
		return;
	}
	if (now.shown?.id === id || streamsOf(now).includes(id))
		notify(actions, 'info', strings.forget.elsewhere(now.shown?.kind));
	setView(view, before => withoutShown(before, id));
}
