import {hostname} from 'node:os';
import {userName} from '../config/user-name.ts';
import type {User} from '../domain/organization/user.ts';
import type {BackgroundContext} from './context.ts';
import {outputOf, runGit} from './processes/git.ts';

/** The organization's only user: whoever runs the service, with git's configured name and address. */
export async function readLocalUser({storage, groups, closing}: BackgroundContext): Promise<User> {
	const {userId, createdAt} = storage.identity.get();
	const readSetting = async (name: string) =>
		outputOf(await runGit(groups, ['config', '--global', '--get', name], {signal: closing}))?.trim() ||
		undefined;
	const [email, name] = await Promise.all([readSetting('user.email'), readSetting('user.name')]);
	const [firstName, ...others] = name?.split(/\s+/) ?? [];
	return {
		id: userId,
		email: email !== undefined && /^[^@\s]+@[^@\s]+$/.test(email) ? email : undefined,
		createdAt: new Date(createdAt).toISOString(),
		metadata: {username: userName(), hostname: hostname()},
		firstName,
		lastName: others.join(' ') || undefined,
	};
}
