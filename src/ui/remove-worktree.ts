import {notify} from '../actions/notify.ts';
import {removeSessionWorktree} from '../actions/work-folder.ts';
import {askToConfirm} from '../state/view/view.ts';
import {watchInput} from './input.ts';
import {strings} from './strings.ts';
import type {AppParts} from './use-app.ts';

const text = strings.removeWorktree;

export function askToRemoveWorktree(
	parts: AppParts,
	{id, name}: {readonly id: string; readonly name: string},
): void {
	askToConfirm(parts.view, {
		title: `Remove the worktree of ${name}?`,
		text: 'Its folder is deleted, and its branch if that is merged. The session and its messages stay, but it can no longer run anything.',
		yes: () => void removeWorktree(parts, id, false),
	});
}

/** Removes a worktree. If it isn't merged, asks again and says what would be lost, unless the user has moved on. */
async function removeWorktree(parts: AppParts, id: string, isForced: boolean): Promise<void> {
	const hasMovedOn = watchInput(parts);
	const removal = await removeSessionWorktree(parts.actions, id, isForced);
	if (!removal.isDone || removal.value.isRemoved) return;
	const loss = text.loss(removal.value);
	if (hasMovedOn())
		notify(parts.actions, 'info', `The worktree is not removed. ${loss} To decide, remove it again.`);
	else
		askToConfirm(parts.view, {
			title: 'Lose what is not merged?',
			text: `${loss} Remove the worktree anyway?`,
			yes: () => void removeWorktree(parts, id, true),
			isUnexpected: true,
		});
}
