import {useStore} from 'zustand';
import {notify} from '../../actions/notify.ts';
import {defaultProfile, localProfile, type ProfileEntry} from '../../domain/accounts/profile.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {isBlocked} from '../../state/connection.ts';
import {popDialog, pushDialog} from '../../state/view/dialogs.ts';
import {askToConfirm, setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {textWidth} from '../../text/cells/width.ts';
import type {Intents} from '../input.ts';
import {askToOpen} from '../quit.ts';
import {strings as screenStrings} from '../strings.ts';
import {type AppParts, type Parts, useApp} from '../use-app.ts';
import {ChoiceDialog, maxWidth} from './choice-dialog.tsx';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {openFormDialog} from './form/open-form-dialog.ts';
import {changeDialog, choiceLayer, notifyInDialog, topDialog} from './list-layer.ts';
import {strings} from './strings.ts';

const nameWidth = 18;
/** Minimum columns of an address; narrower ones are left out. */
const minAddressWidth = 16;
const text = strings.profiles;

/** Profiles to switch to; the active one is marked. */
function ProfilesDialog({dialog, layout}: DialogProps<'profiles'>) {
	const parts = useApp();
	const {profile, stores} = parts;
	const connection = useStore(stores.connection);
	const trouble =
		connection.state === 'unauthorized' ? text.refusedKey : isBlocked(connection) ? text.unreachable : safe``;
	return (
		<ChoiceDialog
			layout={layout}
			title={safe`${text.title}${profile.isConnected ? trouble : safe``}`}
			hint={keysText(parts, dialog, Math.min(maxWidth, layout.columns - 4) - 4)}
			index={dialog.index}
			context="profiles"
			choose="open-profile"
			rows={width => dialog.entries.map(entry => entryLine(entry, entry.name === profile.name, width))}
		/>
	);
}

/** The keys for the selected profile that fit; the footer and the help have all of them. */
function keysText(
	{profile, keys}: Parts<'profile' | 'keys'>,
	{entries, index}: DialogOf<'profiles'>,
	width: number,
): Safe {
	const entry = entries[index];
	const isOpen = entry?.name === profile.name;
	const open = isOpen ? safe`` : text.open(keys.label('open-profile'));
	const edit = entry?.isLocal === false && !entry.isUnsaved ? text.edit(keys.label('edit-profile')) : safe``;
	const replaceKey = entry?.keyFrom === 'file' ? text.replaceKey(keys.label('replace-key')) : safe``;
	const remove = isOpen || entry?.name === localProfile ? safe`` : text.remove(keys.label('remove-profile'));
	const others = text.connectOrClose(keys.label('connect-another'), keys.label('cancel'));
	const byDefault = entry?.isDefault ? safe`` : text.makeDefault(keys.label('default-profile'));
	const choices = [
		safe`${open}${edit}${replaceKey}${remove}${byDefault}${others}`,
		safe`${open}${edit}${replaceKey}${remove}${others}`,
		safe`${open}${edit}${replaceKey}${others}`,
		safe`${open}${edit}${others}`,
	];
	return choices.find(choice => textWidth(choice) <= width) ?? others;
}

function entryLine(entry: ProfileEntry, isOpen: boolean, width: number): Line {
	const open = entry.isUnsaved ? text.isOpenUnsaved : text.isOpen;
	const state = isOpen ? open : keyText(entry);
	// A profile of that name says so already.
	const end = entry.isDefault && entry.name !== defaultProfile ? text.byDefault(state) : state;
	const mark = span(isOpen ? safe`● ` : safe`  `, 'good');
	const name = (columns: number) =>
		span(pad(cutEnd(cleanLine(entry.name), columns), columns), isOpen ? 'strong' : 'text');
	const tail = [span(safe` `), span(end, isOpen ? 'good' : 'dim')];
	const room = width - nameWidth - end.length - 4;
	if (room < minAddressWidth) return [mark, name(Math.max(4, width - end.length - 3)), ...tail];
	const embedded = room < textWidth(text.embedded) ? text.embeddedShort : text.embedded;
	const address = entry.isLocal ? embedded : cleanLine(entry.address ?? '', 400);
	return [mark, name(nameWidth), span(safe` `), span(pad(cutEnd(address, room), room), 'dim'), ...tail];
}

function keyText({keyFrom, isLocal}: ProfileEntry): Safe {
	if (isLocal) return text.noKey;
	return keyFrom ? text.keyFrom[keyFrom] : text.keyMissing;
}

function profilesLayer(parts: AppParts, dialog: DialogOf<'profiles'>): KeyLayer {
	const {entries} = dialog;
	return choiceLayer(parts, dialog, entries.length, {
		chosen(action, at) {
			const entry = entries[at];
			if (action === 'connect-another') {
				setView(parts.view, popDialog);
				openFormDialog(parts, {name: 'connect', takenNames: entries.map(({name}) => name)});
			}
			if (action === 'replace-key') replaceKey(parts, entry);
			if (action === 'edit-profile' && entry) void editProfile(parts, entry);
			if (action === 'remove-profile' && entry) askToRemove(parts, entry);
			if (action === 'default-profile' && entry) void makeDefault(parts, entry);
			if (action !== 'open-profile') return;
			setView(parts.view, popDialog);
			if (entry && entry.name !== parts.profile.name) askToOpen(parts, entry.name);
		},
	});
}

function replaceKey(parts: AppParts, entry: ProfileEntry | undefined): void {
	if (entry?.keyFrom !== 'file') {
		const {keyElsewhere, keyInEnvironment} = screenStrings;
		notifyInDialog(parts, 'profiles', entry?.keyFrom === 'environment' ? keyInEnvironment : keyElsewhere);
		return;
	}
	setView(parts.view, popDialog);
	const {name, keyFile} = entry;
	openFormDialog(parts, {name: 'replace-key', profile: name, ...(keyFile && {keyFile})});
}

async function editProfile(parts: AppParts, {name, isLocal, isUnsaved}: ProfileEntry): Promise<void> {
	if (isUnsaved) return notifyInDialog(parts, 'profiles', screenStrings.profiles.unsaved);
	if (isLocal) return notifyInDialog(parts, 'profiles', screenStrings.profiles.embedded);
	// They are counted.
	parts.drafts.saveAll();
	const draft = await parts.program.profiles.draftOf(name);
	if (!draft.isDone) return notify(parts.actions, 'bad', draft.what);
	const names = topDialog(parts.view, 'profiles')?.entries.map(entry => entry.name);
	// The list was closed meanwhile, or the profile removed.
	if (!names?.includes(name)) return;
	setView(parts.view, popDialog);
	const takenNames = names.filter(other => other !== name);
	openFormDialog(parts, {name: 'edit-profile', draft: draft.value, takenNames});
}

function askToRemove(parts: AppParts, {name, address}: ProfileEntry): void {
	const {embedded, leaveFirst} = screenStrings.profiles;
	if (name === parts.profile.name) notifyInDialog(parts, 'profiles', leaveFirst);
	else if (name === localProfile) notifyInDialog(parts, 'profiles', embedded);
	else
		askToConfirm(parts.view, {
			title: text.removal.title(name),
			text: text.removal.text(address ?? text.removal.embedded),
			intent: {name: 'remove-profile', profile: name},
		});
}

/** Removes a profile, once confirmed, also from the list below the question. */
export async function removeProfile(parts: AppParts, name: string): Promise<void> {
	const removed = await parts.program.profiles.remove(name);
	if (!removed.isDone) return notify(parts.actions, 'bad', removed.what);
	notify(parts.actions, 'good', screenStrings.profiles.removed(name));
	await listAgain(parts);
}

async function makeDefault(parts: AppParts, {name, isDefault}: ProfileEntry): Promise<void> {
	const {profiles: texts} = screenStrings;
	if (isDefault) return notifyInDialog(parts, 'profiles', texts.isDefault);
	const made = await parts.program.profiles.makeDefault(name);
	if (!made.isDone) return notify(parts.actions, 'bad', made.what);
	notify(parts.actions, 'good', texts.madeDefault(name));
	await listAgain(parts);
}

/** Updates the open list of profiles after a change. */
async function listAgain(parts: AppParts): Promise<void> {
	const listed = await parts.program.profiles.list();
	if (!listed.isDone) return notify(parts.actions, 'bad', listed.what);
	const entries = listed.value;
	changeDialog(parts.view, 'profiles', dialog => ({
		...dialog,
		entries,
		index: Math.min(dialog.index, entries.length - 1),
	}));
}

const intents: Intents = {profiles: parts => void showProfiles(parts)};

async function showProfiles(parts: AppParts): Promise<void> {
	const {dialogs} = parts.view.getState();
	const listed = await parts.program.profiles.list();
	if (!listed.isDone) {
		notify(parts.actions, 'bad', listed.what);
		return;
	}
	// Another dialog may be open by now, such as this one after two presses.
	if (parts.view.getState().dialogs !== dialogs) return;
	const entries = listed.value;
	const index = Math.max(
		0,
		entries.findIndex(({name}) => name === parts.profile.name),
	);
	setView(parts.view, view => pushDialog(view, {kind: 'profiles', entries, index}));
}

export const profilesDialog: DialogModule<'profiles'> = {
	Component: ProfilesDialog,
	layer: profilesLayer,
	intents,
};
