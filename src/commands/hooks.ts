import type {CommandRun} from './context.ts';
import {install, uninstall} from './hooks/change.ts';
import {status} from './hooks/status.ts';
import {test} from './hooks/test.ts';

export const hooks: Readonly<Record<string, CommandRun>> = {install, uninstall, status, test};
